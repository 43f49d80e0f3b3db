import type { Messages } from '@partner-portal/messages/messages.ts';
import { placeOf } from '../../ui/text/format.ts';
import { dateFormat, listFormat } from '../../ui/text/intl.ts';
import { readerTag, readerZone } from '../../ui/text/reader.ts';
import type { Agent } from './queries.ts';

/** Returns when an agent runs by itself, for example "Monday and Friday at 07:30 (Chicago)"; undefined where it does not. */
export function scheduleWords({ schedule }: Agent, t: Messages['t']): string | undefined {
  // A schedule of bookings starts no run itself: it plans runs, which are shown by their own times.
  if (schedule === null || !schedule.enabled || schedule.kind !== 'run') return undefined;
  const { every, at, weekdays, timezone } = schedule;
  const days = weekdays.length === 0 || weekdays.length === 7 ? '' : listFormat(readerTag()).format(weekdays.map(weekdayName));
  const when =
    every === 'hour'
      ? t('client.everyHour', { minute: at.slice(3) }) + (days && ` (${days})`)
      : days
        ? t('client.onDays', { days, at })
        : t('client.everyDay', { at });
  return timezone === readerZone() ? when : `${when} (${placeOf(timezone)})`;
}

/** `day`: 1 is Monday, as was 1 January 2024. */
const weekdayName = (day: number): string =>
  dateFormat(readerTag(), { weekday: 'long', timeZone: 'UTC' }).format(new Date(Date.UTC(2024, 0, day)));
