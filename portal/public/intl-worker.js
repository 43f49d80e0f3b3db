// Makes a formatter of each kind and ends: what the browser reads of languages and time zones for it, the page finds there.
for (const tag of new Set(['en-GB', 'en', navigator.language])) {
  new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'Europe/Berlin' }).format(0);
  new Intl.NumberFormat(tag).format(1);
  new Intl.PluralRules(tag).select(1);
  new Intl.ListFormat(tag).format(['']);
  new Intl.RelativeTimeFormat(tag).format(1, 'day');
}
close();
