def nested():
    value = []
    for _ in range(50):
        value = [value]
    return value
