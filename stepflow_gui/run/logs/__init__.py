"""Logs that real runs of climpt and TAKT leave: read, and compared with a flow."""
