/** Days for which each kind of statistics is kept. All follow from those of the minutes. */
export const keptDays = (minuteDays: number) => ({
  minuteDays,
  hourDays: minuteDays * 30,
  dayDays: minuteDays * 365,
});
