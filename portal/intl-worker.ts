/** Makes a formatter of each kind and ends. What the browser reads of languages and time zones for it, the page finds there. */
new Intl.NumberFormat('en').format(1);
new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'Europe/Berlin' }).format(0);
new Intl.PluralRules('en').select(1);
close();
