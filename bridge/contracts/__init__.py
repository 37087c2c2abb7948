"""The MQTT language: topics and envelopes. The only place that knows JSON."""
