import { randomBytes, randomUUID } from 'node:crypto';
import { bearerOf, fieldsOf, isGoodSecret, textOf, type Ask, type Reply, type StandIn } from './provider.ts';
import { findAllBookings, findBookings, saveBooking, type BookingRecord } from './store.ts';

/** The scheduling service: bookings created here can be read and cancelled; every weekday has slots. */
export const calcom: StandIn = {
  answer(ask) {
    const key = bearerOf(ask.headers);
    if (key === undefined) return refusal(ask, 401, 'UnauthorizedException', 'No authentication method provided');
    if (!isGoodSecret(key)) return refusal(ask, 401, 'UnauthorizedException', 'Invalid API Key');
    if (ask.path === '/v2/me' && ask.method === 'GET')
      return success({ id: 1, username: 'sandbox', email: 'sandbox@example.com', timeZone: 'UTC' });
    if (ask.path === '/v2/slots' && ask.method === 'GET') return freeSlots(ask);
    if (ask.path === '/v2/bookings') return ask.method === 'POST' ? book(ask) : listBookings(ask);
    const one = /^\/v2\/bookings\/([^/]+)(\/cancel)?$/.exec(ask.path);
    if (one !== null) return oneBooking(ask, one[1] ?? '', one[2] !== undefined);
    return refusal(ask, 404, 'NotFoundException', `Cannot ${ask.method} ${ask.path}`);
  },
};

async function listBookings(ask: Ask): Promise<Reply> {
  const uid = ask.query['bookingUid'];
  const statuses = ask.query['status']?.split(',') ?? [];
  const times = { afterStart: timeOf(ask.query['afterStart']), beforeEnd: timeOf(ask.query['beforeEnd']) };
  const take = Number(ask.query['take'] ?? 100);
  const skip = Number(ask.query['skip'] ?? 0);
  const wrong = [
    ...statuses.filter((one) => !(one in KNOWN_STATUSES)).map((one) => `Invalid status ${one}`),
    ...Object.entries(times).flatMap(([name, time]) => (time === 'bad' ? [`${name} must be a valid ISO 8601 date string`] : [])),
    ...(Number.isInteger(take) && take >= 1 && take <= 250 ? [] : ['take must be a whole number from 1 to 250']),
    ...(Number.isInteger(skip) && skip >= 0 ? [] : ['skip must not be less than 0']),
  ];
  if (wrong.length > 0) return refusal(ask, 400, 'BadRequestException', wrong.join(', '));
  const all = (uid === undefined ? await findAllBookings(ask.pool) : await findBookings(ask.pool, uid)).filter(
    (one) =>
      (statuses.length === 0 || statuses.some((status) => KNOWN_STATUSES[status]?.(one, ask.now))) &&
      (times.afterStart === undefined || new Date(one.start) >= times.afterStart) &&
      (times.beforeEnd === undefined || new Date(textOf(one['end'])) <= times.beforeEnd),
  );
  const order = ask.query['sortStart'] === 'desc' ? -1 : 1;
  if (ask.query['sortStart'] !== undefined) all.sort((one, other) => order * (Date.parse(one.start) - Date.parse(other.start)));
  const data = all.slice(skip, skip + take);
  const remainingItems = Math.max(0, all.length - skip - data.length);
  const pagination = {
    totalItems: all.length,
    remainingItems,
    returnedItems: data.length,
    itemsPerPage: take,
    currentPage: Math.floor(skip / take) + 1,
    totalPages: Math.max(1, Math.ceil(all.length / take)),
    hasNextPage: remainingItems > 0,
    hasPreviousPage: skip > 0,
  };
  return { status: 200, body: { status: 'success', data, pagination } };
}

const isOff = (one: BookingRecord): boolean => one.status === 'cancelled' || one.status === 'rejected';
const KNOWN_STATUSES: { readonly [status: string]: (one: BookingRecord, now: Date) => boolean } = {
  upcoming: (one, now) => !isOff(one) && new Date(textOf(one['end'])) >= now,
  recurring: () => false,
  past: (one, now) => !isOff(one) && new Date(textOf(one['end'])) < now,
  cancelled: isOff,
  unconfirmed: (one) => one.status === 'pending',
};

function timeOf(value: string | undefined): Date | 'bad' | undefined {
  if (value === undefined) return undefined;
  const time = new Date(value);
  return Number.isNaN(time.getTime()) ? 'bad' : time;
}

async function oneBooking(ask: Ask, uid: string, cancel: boolean): Promise<Reply> {
  const [booking] = await findBookings(ask.pool, uid);
  if (booking === undefined) return refusal(ask, 404, 'NotFoundException', `Booking with uid=${uid} was not found in the database`);
  if (!cancel) return success(booking);
  const cancelled = { ...booking, status: 'cancelled', cancellationReason: textOf(fieldsOf(ask.body)['cancellationReason']) };
  await saveBooking(ask.pool, cancelled);
  return success(cancelled);
}

async function book(ask: Ask): Promise<Reply> {
  const fields = fieldsOf(ask.body);
  const attendee = fieldsOf(fields['attendee']);
  const start = new Date(textOf(fields['start']));
  const wrong = [
    ...(Number.isNaN(start.getTime()) ? ['start must be a valid ISO 8601 date string'] : []),
    ...(textOf(attendee['name']) === '' ? ['attendee.name should not be empty'] : []),
    ...(fields['eventTypeId'] === undefined ? ['eventTypeId must be given'] : []),
  ];
  if (wrong.length > 0) return refusal(ask, 400, 'BadRequestException', wrong.join(', '));
  const booking: BookingRecord = {
    id: Number.parseInt(randomBytes(3).toString('hex'), 16),
    uid: newUid(),
    title: `Meeting with ${textOf(attendee['name'])}`,
    status: 'accepted',
    start: start.toISOString(),
    end: new Date(start.getTime() + 30 * 60_000).toISOString(),
    duration: 30,
    eventTypeId: Number(fields['eventTypeId']),
    attendees: [attendee],
    createdAt: ask.now.toISOString(),
  };
  await saveBooking(ask.pool, booking);
  return { status: 201, body: { status: 'success', data: booking } };
}

const BASE_58 = '123456789abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ';
const UID_LENGTH = 22;

/** Returns an id as the service makes them: a UUID in base 58, of one length. */
function newUid(): string {
  let left = BigInt(`0x${randomUUID().replaceAll('-', '')}`);
  let uid = '';
  while (uid.length < UID_LENGTH) {
    uid = (BASE_58[Number(left % 58n)] ?? '') + uid;
    left /= 58n;
  }
  return uid;
}

const DAY_MS = 86_400_000;
const SLOT_TIMES = ['09:00', '10:30', '14:00', '15:30'];

function freeSlots(ask: Ask): Reply {
  const start = new Date(ask.query['start'] ?? '');
  const end = new Date(ask.query['end'] ?? '');
  if (Number.isNaN(start.getTime()) || Number.isNaN(end.getTime()))
    return refusal(ask, 400, 'BadRequestException', 'start and end must be valid dates');
  if (!/^\d+$/.test(ask.query['eventTypeId'] ?? '')) return refusal(ask, 400, 'BadRequestException', 'eventTypeId must be a number');
  const days: { [day: string]: { start: string }[] } = {};
  const last = Math.min(end.getTime(), start.getTime() + 31 * DAY_MS);
  for (let at = start.getTime(); at <= last; at += DAY_MS) {
    const date = new Date(at);
    const day = date.toISOString().slice(0, 10);
    if (date.getUTCDay() === 0 || date.getUTCDay() === 6) continue;
    const open = SLOT_TIMES.map((time) => `${day}T${time}:00.000Z`).filter((slot) => new Date(slot) > ask.now);
    if (open.length > 0) days[day] = open.map((slot) => ({ start: slot }));
  }
  return success(days);
}

function success(data: unknown): Reply {
  return { status: 200, body: { status: 'success', data } };
}

function refusal(ask: Ask, status: number, code: string, message: string): Reply {
  return {
    status,
    body: {
      status: 'error',
      timestamp: ask.now.toISOString(),
      path: ask.path,
      error: { code, message, details: { message, error: code, statusCode: status } },
    },
  };
}
