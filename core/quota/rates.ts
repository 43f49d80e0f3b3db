/** The model of a rate that is for all models of its provider without one. */
export const ANY_MODEL = '*';

/** Returns the rate that counts for a model: its own newest version, else the newest for any model of the provider. */
export function chooseRate<R extends { model: string; version: number }>(rates: readonly R[], model: string): R | undefined {
  const newestOf = (name: string): R | undefined =>
    rates
      .filter((rate) => rate.model === name)
      .reduce<R | undefined>((best, rate) => (best && best.version > rate.version ? best : rate), undefined);
  return newestOf(model) ?? newestOf(ANY_MODEL);
}
