-- Returns a plan and a partner's exceptions from it as JSON; null without a plan.
create or replace function billing_terms(plan plan, overrides jsonb) returns jsonb
language sql stable as $$
  select case when (plan).id is not null then jsonb_build_object('planId', (plan).id, 'planName', (plan).name, 'overrides', overrides, 'plan', jsonb_build_object(
    'monthlyPriceMinor', (plan).monthly_price_minor, 'currency', (plan).currency, 'seatPriceMinor', (plan).seat_price_minor,
    'includedSeats', (plan).included_seats, 'includedClients', (plan).included_clients, 'monthlyCredits', (plan).monthly_credits, 'features', (plan).features)) end
$$;
revoke execute on function billing_terms from public;
grant execute on function billing_terms to portal_system;
