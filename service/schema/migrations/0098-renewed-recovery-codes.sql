-- Whose recovery codes are renewed is told in the bell, as of every other change to their sign-in (migration 0086).
drop trigger audit_entry_told on audit_entry;
create trigger audit_entry_told after insert on audit_entry for each row
  when (new.result = 'ok' and new.action in (
    'invitation.accepted', 'agent_request.created', 'agent_request.declined', 'client_user.removed', 'member.removed',
    'user.password_changed', 'user.password_reset', 'mfa.enabled', 'mfa.disabled', 'mfa.recovery_codes_renewed', 'user.mfa_reset'))
  execute function tell_of_audited();
