-- Whether a partner may store `added` more bytes of media and knowledge; false for a tenant that asks about another one. Holds off its other uploads until
-- the transaction ends, so that two cannot both take the last room. A client's session does not see all media of its partner, hence the rights of the owner.
-- current_setting('role') shows the caller's role inside a definer function too.
create or replace function has_media_room(partner uuid, added bigint, most bigint) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if current_setting('role') <> 'portal_system' and partner is distinct from app_partner() then
    return false;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('media:' || partner, 0));
  return (select coalesce(sum(size_bytes), 0) from media where partner_id = partner)
    + (select coalesce(sum(size_bytes), 0) from knowledge_document where partner_id = partner and kind = 'file') + added <= most;
end $$;
revoke execute on function has_media_room from public;
grant execute on function has_media_room to portal_tenant, portal_system;
