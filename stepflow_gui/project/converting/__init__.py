"""An agent brought into another format, all its files together: worked out, and written as copies."""
