import finding as _finding

globals().update(_finding.twins(globals(), __file__))
