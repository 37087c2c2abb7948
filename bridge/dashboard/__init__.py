"""The table in a browser: follows tables over MQTT, renders them once, streams what changes to whoever looks."""
