-- What tokens cost the platform is no business of tenants, also not by a statement that forgets to leave it out.
revoke select on ai_rate from portal_tenant;
grant select (id, provider, model, version, input_credits, output_credits, is_offered, created_at) on ai_rate to portal_tenant;
