// Checks whether this person may be texted at all, then chooses the days whose free times are asked for.
export const code = async (inputs) => {
  const input = inputs.input || {};
  const config = inputs.config || {};
  const client = inputs.client || {};
  const facts = inputs.facts || {};
  const no = whyNoText({ number: input.attendeePhone, config, client, facts });
  if (no?.fault) return fault(no.fault, no.message);
  if (no) return stop(no.reason, no.message);
  if (!config.fromNumber) return fault('sender_number_missing', 'This agent has no sender number in its settings');
  const eventTypeId = [input.eventTypeId, config.eventTypeId].find((id) => Number.isSafeInteger(id) && id > 0);
  if (eventTypeId === undefined) return fault('event_type_missing', 'Neither the event nor the settings say which kind of visit to offer');
  const now = new Date(facts.now || Date.now());
  const days = Math.min(30, Math.max(1, Math.floor(Number(config.daysAhead) || 7)));
  return go({
    eventTypeId: String(eventTypeId),
    start: now.toISOString(),
    end: new Date(now.getTime() + days * 86_400_000).toISOString(),
    timeZone: client.timezone || 'UTC',
  });
};
