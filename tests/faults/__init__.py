"""What may go wrong around a table: killed processes, full disks, a broker that forgets, a clock that jumps."""
