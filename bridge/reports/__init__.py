"""What a table hands over on paper and as data: hand-pay slips, meter sheets, the report of a gaming day.

Each document is a value of ``domain``, made from journal and meters; here it is gathered, set in type and written
as CSV. Nothing in here changes a journal or a meter.
"""
