import { STAFF_FIELDS } from '@partner-portal/core/audit/staff-fields.ts';
import type { Actor } from '#platform/actor.ts';
import type { EntryRow } from './store.ts';

const PLATFORM_STAFF = { type: 'staff', id: null, email: null, name: 'Platform staff' } as const;

/** Returns an entry as the reader may see it: a partner sees that staff acted, not who or from where. */
export function entryAnswer(reader: Actor, row: EntryRow) {
  const isHidden = row.actorType === 'staff' && reader.role !== 'ADMIN';
  const { id, at, partnerId, partnerName, clientId, clientName, action, result, requestId } = row;
  return {
    id,
    at,
    partnerId,
    partnerName,
    clientId,
    clientName,
    actor: { ...(isHidden ? PLATFORM_STAFF : actorOf(row)), via: row.viaId === null ? null : isHidden ? PLATFORM_STAFF : viaOf(row) },
    action,
    target: row.targetType === null ? null : { type: row.targetType, id: row.targetId, label: row.targetLabel },
    result,
    changes: reader.role === 'ADMIN' ? row.changes : withoutStaffFields(row.changes),
    ip: isHidden ? null : row.ip,
    userAgent: isHidden ? null : row.userAgent,
    requestId,
  };
}

function actorOf({ actorType: type, actorId: id, actorEmail: email, actorName: name }: EntryRow) {
  return { type, id, email, name };
}

function viaOf({ actorType: type, viaId: id, viaEmail: email, viaName: name }: EntryRow) {
  return { type, id, email, name };
}

function withoutStaffFields(changes: EntryRow['changes']): EntryRow['changes'] {
  return Object.fromEntries(
    Object.entries(changes).map(([field, values]) => [field, STAFF_FIELDS.includes(field) ? ['changed', 'changed'] : values]),
  );
}
