-- Each certificate of a provider is tried on a signature: at most five, each once.

update sso_connection set idp_certificates = (
  select array_agg(certificate order by first_at)
  from (
    select certificate, min(at) as first_at
    from unnest(idp_certificates) with ordinality as listed (certificate, at)
    group by certificate order by 2 limit 5
  ) as kept
)
where cardinality(idp_certificates) > 1;

alter table sso_connection add check (cardinality(idp_certificates) <= 5);
