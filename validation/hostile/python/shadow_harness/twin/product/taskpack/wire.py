Frame = None
