"""Whether a form says of each of its fields what is expected there."""

from pydantic import BaseModel


def undescribed(form: type[BaseModel]) -> list[str]:
    """Return the fields of a form, and of the forms in it, that have no phrase; tags speak for themselves."""
    schema = form.model_json_schema(mode="validation")
    tables = {schema["title"]: schema, **schema.get("$defs", {})}
    return [
        f"{name}.{key}"
        for name, table in tables.items()
        for key, field in table.get("properties", {}).items()
        if not field.get("description") and "const" not in field
    ]
