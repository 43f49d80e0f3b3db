/** Thresholds that a partner crossed at once, lowest first, with its quota afterwards. Times are ISO 8601. */
export type QuotaCrossing = {
  partnerId: string;
  percents: readonly number[];
  used: number;
  limit: number;
  periodStart: string;
  periodEnd: string;
  /** Header `traceparent` of what caused it, when tracing is on. */
  traceparent?: string | null;
};
