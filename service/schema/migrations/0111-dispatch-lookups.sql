-- Claims are looked up by partner, so that one with many unanswered dispatches does not delay the others.
drop index dispatch_claims;
create index dispatch_claims on dispatch (partner_id, claimed_until) where claimed_until is not null;
comment on column dispatch.claimed_by is 'the worker that dispatches it or asks the engine about it; null with claimed_until: no worker until then';
comment on column dispatch.due_at is 'when it may be sent; of a claimed one when it was claimed, so that nothing was sent before';
