import { mediaPath } from '@partner-portal/core/media/media.ts';
import type { Tx } from '#platform/db/tx.ts';
import { refuseField } from '#platform/refuse.ts';
import { takeUsable } from './store.ts';

/**
 * Returns the path of an uploaded logo, null to have none. Call it before the partner is locked: a removal locks the file first, then
 * the partner. Refuses any other file, also of another agency.
 */
export async function takeLogo(tx: Tx, partnerId: string, mediaId: string | null): Promise<string | null> {
  if (mediaId === null) return null;
  const key = await takeUsable(tx, { id: mediaId, partnerId, purpose: 'logo', uploadedBy: null });
  return key === undefined ? refuseField('logoMediaId', 'not_found', 'Upload a logo first.') : mediaPath(key);
}

/** Like `takeLogo` for the own avatar, which must be an upload of the caller. */
export async function takeAvatar(tx: Tx, user: { partnerId: string; userId: string }, mediaId: string | null): Promise<string | null> {
  if (mediaId === null) return null;
  const key = await takeUsable(tx, { id: mediaId, partnerId: user.partnerId, purpose: 'avatar', uploadedBy: user.userId });
  return key === undefined ? refuseField('avatarMediaId', 'not_found', 'Upload a picture of yourself first.') : mediaPath(key);
}
