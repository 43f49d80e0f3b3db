-- Counts each change of a conversation and notes its time, which resumed streams read from, and that the chatbot has answered.
create or replace function touch_conversation() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  new.version := old.version + 1;
  new.updated_at := now();
  new.was_answered := old.was_answered or coalesce(new.last_message_author = 'bot', false);
  return new;
end $$;
revoke execute on function touch_conversation from public;
create or replace trigger touch_conversation before update on conversation for each row execute function touch_conversation();
