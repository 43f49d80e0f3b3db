-- The first published rates: per 1,000 tokens in credits, and what they cost the platform in hundredths of a dollar. Models without a row of
-- their own cost what AI tokens of runs have cost so far.
insert into ai_rate (provider, model, version, input_credits, output_credits, input_cost_minor, output_cost_minor, currency) values
  ('openai', '*', 1, 1, 1, 0.2, 0.8, 'USD'),
  ('openai', 'gpt-4.1-mini', 1, 0.2, 0.8, 0.04, 0.16, 'USD'),
  ('openai', 'gpt-4.1', 1, 1, 4, 0.2, 0.8, 'USD'),
  ('openai', 'gpt-5-mini', 1, 0.2, 1, 0.025, 0.2, 'USD'),
  ('openai', 'gpt-5', 1, 0.7, 5, 0.125, 1, 'USD'),
  ('anthropic', '*', 1, 1, 1, 0.3, 1.5, 'USD'),
  ('anthropic', 'claude-haiku-4-5', 1, 0.5, 2.5, 0.1, 0.5, 'USD'),
  ('anthropic', 'claude-sonnet-4-5', 1, 1.5, 7.5, 0.3, 1.5, 'USD'),
  ('anthropic', 'claude-opus-4-5', 1, 2.5, 12.5, 0.5, 2.5, 'USD');

create index ai_call_rate on ai_call (rate_id);
