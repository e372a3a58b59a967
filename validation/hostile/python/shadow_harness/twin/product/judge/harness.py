same = None
