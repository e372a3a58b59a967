"""Tokens as the contract names them."""


def tag(name):
    return {"type": "tag", "name": name, "namespace": None}


def pseudo(name, data=None):
    return {"type": "pseudo", "name": name, "data": data}


def attribute(name, action, value, ignore_case=None):
    return {
        "type": "attribute",
        "name": name,
        "action": action,
        "value": value,
        "namespace": None,
        "ignoreCase": ignore_case,
    }
