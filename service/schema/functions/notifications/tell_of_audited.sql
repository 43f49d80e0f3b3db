-- Some facts people are told of have no event: the audit line, written with the change, queues the telling in the same transaction.
create or replace function tell_of_audited() returns trigger language plpgsql as $$
begin
  perform enqueue_job('notifications.audited', json_build_object('entryId', new.id), null, 'notifications.audited:' || new.id);
  return null;
end $$;

create or replace trigger audit_entry_told after insert on audit_entry for each row
  when (new.result = 'ok' and new.action in (
    'invitation.accepted', 'agent_request.created', 'agent_request.declined', 'client_user.removed', 'member.removed',
    'user.password_changed', 'user.password_reset', 'mfa.enabled', 'mfa.disabled', 'mfa.recovery_codes_renewed', 'user.mfa_reset'))
  execute function tell_of_audited();
