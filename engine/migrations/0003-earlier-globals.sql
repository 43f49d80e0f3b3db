-- Code steps had URLSearchParams, which a bare isolate lacks. Versions stored before keep it; those stored from here on have the language only.
alter table engine.flow_version add column earlier_globals boolean not null default true;
alter table engine.flow_version alter column earlier_globals set default false;
