"""What each release of TAKT reads, drops and refuses in a piece or workflow.

- `table`: the facts, a row for each key, value and form. The one place for a new release.
- `sets`: sets of releases, as people write them: `0.12.0–0.29.0`.
- `loading`: how every release reads one file. One walk over the file answers for all releases.
"""
