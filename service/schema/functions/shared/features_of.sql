-- Returns what the terms of a partner include: the features of its plan, with its own exceptions. Null without a plan.
create or replace function features_of(plan_features jsonb, overrides jsonb) returns jsonb language sql immutable
  as $$ select plan_features || coalesce(overrides->'features', '{}') $$;
