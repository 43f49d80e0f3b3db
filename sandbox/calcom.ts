import { randomBytes } from 'node:crypto';
import { bearerOf, fieldsOf, isGoodSecret, textOf, type Ask, type Reply, type StandIn } from './provider.ts';
import { findBookings, saveBooking, type BookingRecord } from './store.ts';

/** The scheduling service: bookings that were made here can be read and cancelled; slots are every weekday's. */
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
  const data = await findBookings(ask.pool, ask.query['bookingUid'] ?? null);
  const totalItems = data.length;
  const pagination = {
    totalItems,
    remainingItems: 0,
    returnedItems: totalItems,
    itemsPerPage: 100,
    currentPage: 1,
    totalPages: 1,
    hasNextPage: false,
    hasPreviousPage: false,
  };
  return { status: 200, body: { status: 'success', data, pagination } };
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
    uid: randomBytes(11).toString('hex'),
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
