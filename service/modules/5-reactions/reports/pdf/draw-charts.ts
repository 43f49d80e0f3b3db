import { monthName, weekdayName } from '@partner-portal/core/report/format.ts';
import { COLOR } from '#platform/pdf/sheet.ts';
import { drawHeading } from './draw-parts.ts';
import type { Printing } from './printing.ts';

const BARS = { height: 96, gap: 8, widthMax: 34 };
const CELL = { height: 13, gap: 1.5, label: 64 };
const SMALL = { size: 7.5, color: COLOR.quiet } as const;

/** Draws results by month as bars, with their numbers; nothing for a single month. */
export function drawTrend({ sheet, report, t, tag, number, colours }: Printing): void {
  const { trend } = report;
  if (trend.length < 2) return;
  drawHeading(sheet, `${t('report.trend')}: ${t('report.helped')}`, BARS.height + 34);
  const top = sheet.y;
  const most = Math.max(1, ...trend.map(({ helped }) => helped));
  const slot = sheet.width / trend.length;
  const alt = trend.map(({ month, helped }) => `${monthName(month, tag)}: ${number.format(helped)}`).join('; ');
  sheet.figure(sheet.root, alt, (pen) => {
    trend.forEach(({ month, helped }, index) => {
      const width = Math.min(BARS.widthMax, slot - BARS.gap);
      const height = Math.max(1, (helped / most) * BARS.height);
      const x = sheet.left + index * slot;
      const y = top + 14 + BARS.height - height;
      pen.rect({ x: x + (slot - width) / 2, y, width, height }, month === report.month ? colours.fill : mix(colours.fill, 0.45));
      pen.label(number.format(helped), { x, y: y - 11, width: slot }, { ...SMALL, color: COLOR.ink, align: 'center' });
      pen.label(monthName(month, tag, 'short'), { x, y: top + BARS.height + 18, width: slot }, { ...SMALL, align: 'center' });
    });
  });
  sheet.rule(top + 14 + BARS.height);
  sheet.y = top + BARS.height + 32;
}

/** Draws runs by weekday and hour as a grid; the darker, the more. */
export function drawBusyHours({ sheet, report, t, tag, number, colours }: Printing): void {
  const { busiestHours } = report;
  if (busiestHours.length === 0) return;
  const rowHeight = CELL.height + CELL.gap;
  drawHeading(sheet, t('report.busiestHours'), 7 * rowHeight + 26);
  const top = sheet.y;
  const runs = new Map(busiestHours.map((one) => [`${one.weekday} ${one.hour}`, one.runs]));
  const most = Math.max(...busiestHours.map((one) => one.runs));
  const cellWidth = (sheet.width - CELL.label) / 24;
  const alt = busiestHours
    .toSorted((a, b) => b.runs - a.runs)
    .slice(0, 5)
    .map((one) => `${weekdayName(one.weekday, tag)} ${hourText(one.hour, tag)}: ${number.format(one.runs)}`)
    .join('; ');
  sheet.figure(sheet.root, alt, (pen) => {
    for (let weekday = 1; weekday <= 7; weekday += 1) {
      const y = top + (weekday - 1) * rowHeight;
      pen.label(weekdayName(weekday, tag), { x: sheet.left, y: y + 2, width: CELL.label - 6 }, SMALL);
      for (let hour = 0; hour < 24; hour += 1) {
        const share = (runs.get(`${weekday} ${hour}`) ?? 0) / most;
        const box = { x: sheet.left + CELL.label + hour * cellWidth, y, width: cellWidth - CELL.gap, height: CELL.height };
        // The least that is not nothing stays visible in print.
        pen.rect(box, share === 0 ? '#f1f3f6' : mix(colours.fill, 0.2 + 0.8 * share));
      }
    }
    for (let hour = 0; hour < 24; hour += 3)
      pen.label(
        hourText(hour, tag),
        { x: sheet.left + CELL.label + hour * cellWidth, y: top + 7 * rowHeight + 3, width: cellWidth * 3 },
        SMALL,
      );
  });
  sheet.y = top + 7 * rowHeight + 18;
}

function hourText(hour: number, tag: string): string {
  return new Intl.DateTimeFormat(tag, { hour: 'numeric', timeZone: 'UTC' }).format(new Date(Date.UTC(2024, 0, 1, hour)));
}

/** Returns a colour mixed with white: 1 is the colour itself. */
function mix(color: string, share: number): string {
  const parts = [1, 3, 5].map((from) => Number.parseInt(color.slice(from, from + 2), 16));
  return `#${parts
    .map((part) =>
      Math.round(255 - (255 - part) * share)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;
}
