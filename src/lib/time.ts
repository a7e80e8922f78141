export { readDuration, tenYears } from './duration.ts';
export { absolute, age, calendarDay, clockTime, readAnyMoment, readMoment, span } from './moment.ts';
export { dayAndTime, readUntil, type Until } from './until.ts';
