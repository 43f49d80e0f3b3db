/** The credit meter of one period, as the database keeps it. */
export type QuotaFacts = { used: number; inFlight: number; monthly: number; purchased: number; periodStart: Date; periodEnd: Date };

export type QuotaView = {
  used: number;
  inFlight: number;
  remaining: number;
  limit: number;
  monthly: number;
  purchased: number;
  /** Of the limit, in percent with one decimal; may pass 100 because AI tokens are counted after the fact. */
  percent: number;
  periodStart: string;
  resetsAt: string;
  /** When the credits run out at the pace of this period; null when they last until it ends, or nothing can be said yet. */
  forecastDate: string | null;
};

/** Too little has happened before this to speak of a pace. */
const FORECAST_AFTER_MS = 6 * 3_600_000;

/** What people see of the meter. Runs that have not ended hold their credits, so they are not remaining. */
export function describeQuota(facts: QuotaFacts, now: Date): QuotaView {
  const limit = facts.monthly + facts.purchased;
  return {
    used: facts.used,
    inFlight: facts.inFlight,
    remaining: Math.max(0, limit - facts.used - facts.inFlight),
    limit,
    monthly: facts.monthly,
    purchased: facts.purchased,
    percent: limit === 0 ? (facts.used > 0 ? 100 : 0) : Math.round((facts.used * 1000) / limit) / 10,
    periodStart: facts.periodStart.toISOString(),
    resetsAt: facts.periodEnd.toISOString(),
    forecastDate: forecast(facts, limit, now)?.toISOString() ?? null,
  };
}

function forecast(facts: QuotaFacts, limit: number, now: Date): Date | null {
  const elapsedMs = now.getTime() - facts.periodStart.getTime();
  if (facts.used === 0 || facts.used >= limit || elapsedMs < FORECAST_AFTER_MS) return null;
  const at = new Date(now.getTime() + ((limit - facts.used) * elapsedMs) / facts.used);
  return at < facts.periodEnd ? at : null;
}
