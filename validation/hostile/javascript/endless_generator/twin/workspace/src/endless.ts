function* endless(): Generator<number> {
  for (let place = 0; ; place++) yield place;
}
if (endless().take(3).toArray().length !== 3) throw new Error("no three");
