from taskpack import wire
