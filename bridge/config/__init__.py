"""``table.toml``: everything a table is made of, with its profiles and its rules submission resolved."""

from bridge.config.form import config_schema
from bridge.config.load import load_table
from bridge.config.port_checks import port_advice
from bridge.config.table_config import BrokerConfig, TableConfig, TlsConfig, UnknownLineError

__all__ = [
    "BrokerConfig",
    "TableConfig",
    "TlsConfig",
    "UnknownLineError",
    "config_schema",
    "load_table",
    "port_advice",
]
