-- The same Idempotency-Key with another body is refused. Null for keys of earlier versions and of the service itself, whose bodies are not compared.
alter table idempotency_key add column body_hash bytea;
alter table agent_request_key add column body_hash bytea;
alter table billing_key add column body_hash bytea;
alter table report_send_key add column body_hash bytea;
alter table client_import add column body_hash bytea;
comment on column client_import.body_hash is 'of the file and its settings, with key_hash';
