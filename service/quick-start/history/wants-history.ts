import type { Config } from '../../config.ts';

/** The argument of `npm start` that gives the demo workspace a past. */
export const WITH_HISTORY = '--with-history';

/** Returns whether the demo workspace gets a past: where it was asked for, and never in production. */
export function wantsHistory(args: readonly string[], { isProduction }: Pick<Config, 'isProduction'>): boolean {
  return args.includes(WITH_HISTORY) && !isProduction;
}
