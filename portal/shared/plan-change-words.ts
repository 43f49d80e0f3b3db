import type { PlanChange } from '../queries/billing.ts';
import { formatNumber, plural } from '../ui/text/format.ts';
import { amountOf, billingDay, excessText, rateText } from './billing-labels.ts';

type Words = { tone: 'bad' | 'ok' | 'live'; lead: string; rest: string };

/**
 * Returns when a change of terms takes effect, and what is billed when. A request waits for staff to confirm it; staff change terms themselves.
 */
export function planChangeWords(change: PlanChange, { isRequest }: { isRequest: boolean }): Words {
  const { direction, effectiveAt, exceeds } = change;
  const monthly = `${amountOf(change.nextMonthlyMinor, change.currency)} a month`;
  if (exceeds.length > 0) return { tone: 'bad', lead: 'Your usage does not fit this plan yet.', rest: `${excessText(exceeds)}.` };
  if (direction === 'same') return { tone: 'ok', lead: `Nothing changes: the price stays ${monthly}.`, rest: '' };
  const day = billingDay(effectiveAt);
  const later = `and the price is ${monthly} from then on.`;
  const rest =
    direction === 'down'
      ? `Nothing is charged or refunded before, ${later}`
      : change.invoicedAt === null
        ? freeWords(change, monthly)
        : chargeWords(change, change.invoicedAt, { isRequest, later });
  return {
    tone: 'live',
    lead: leadOf(direction, day, isRequest),
    rest: [rest, seatWords(change.purchasedSeats), staysWords(change)].filter(Boolean).join(' '),
  };
}

function leadOf(direction: 'up' | 'down', day: string, isRequest: boolean): string {
  if (direction === 'up') return isRequest ? 'It takes effect as soon as we confirm it.' : 'It takes effect at once.';
  return isRequest
    ? `Confirmed before ${day}, it takes effect on that day, when the period ends.`
    : `It takes effect on ${day}, when the period ends.`;
}

function chargeWords(
  { dueNowMinor, currency, effectiveAt, taxRateBasisPoints }: PlanChange,
  invoicedAt: string,
  { isRequest, later }: { isRequest: boolean; later: string },
): string {
  const tax = taxRateBasisPoints > 0 ? ` plus ${rateText(taxRateBasisPoints)} tax` : '';
  const amount = `${amountOf(dueNowMinor, currency)}${tax}`;
  if (invoicedAt <= effectiveAt) return `A period begins then: ${amount} is invoiced for its first month, ${later}`;
  const charged = `${amount} is charged on ${isRequest ? 'your' : 'the'} invoice of ${billingDay(invoicedAt)}, ${later}`;
  return isRequest ? `Confirmed today, ${charged}` : charged;
}

/** The price stays, but for seats bought before that are included, or no longer, from the next period on. */
function freeWords({ purchasedSeats: { before, after }, nextChargeAt }: PlanChange, monthly: string): string {
  return before === after
    ? `Nothing is charged for it: the price is ${monthly}.`
    : `Nothing is charged for it, and the price is ${monthly} from ${billingDay(nextChargeAt)} on.`;
}

function staysWords({ withdrawsCancellation, nextChargeAt }: PlanChange): string {
  return withdrawsCancellation ? `With it the subscription goes on and does not end on ${billingDay(nextChargeAt)}.` : '';
}

function seatWords({ before, after }: PlanChange['purchasedSeats']): string {
  if (before === after)
    return after === 0 ? '' : `This is the price of the plan and the ${after === 1 ? 'seat' : plural(after, 'seat')} bought before.`;
  const [changed, all] = [Math.abs(before - after), Math.max(before, after)];
  const which =
    all === 1 ? 'the seat' : changed === all ? `the ${plural(all, 'seat')}` : `${formatNumber(changed)} of the ${plural(all, 'seat')}`;
  const be = changed === 1 ? 'is' : 'are';
  return after < before
    ? `From then on ${which} bought before ${be} included and ${be} not billed.`
    : `From then on ${which} bought before ${be} not included and ${be} billed.`;
}
