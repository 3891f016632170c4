"""The parts of the native scanner `_scan.pyx`: Cython modules of inline functions, without GIL.

They compile into the one extension that includes them, so a call across modules costs nothing.
From the bottom up: `memory`, `wire_format` and `field_table`; `value` and `rank0`; `series_table`;
`scan_state` (all that a scan knows); `stage` (what the current record holds); `small_record`,
`large_record` and `template` (ways to read a record); `framing`; `scan_loop`.
"""
