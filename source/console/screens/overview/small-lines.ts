/** The fleet in figures that can be read from across a room, on small screens. */
import {creditHours} from '../../../renter/instance/burn.ts';
import {fleetTexts, hoursText} from '../../../renter/fleet/fleet-texts.ts';
import {isEndlessInstance, lateMs, nextEnd} from '../../../renter/leases/held.ts';
import {hourly} from '../../../renter/text/format.ts';
import {fit, widthOf} from '../../../renter/text/text-width.ts';
import {bigLines} from '../../ui/big-digits.ts';
import type {Theme} from '../../ui/theme.ts';
import type {Size} from '../../terminal/terminal.ts';
import {roughly} from '../instances/words.ts';
import {endingRows} from './end-lines.ts';
import type {OverviewData} from './overview-state.ts';
import {shortName, troublesIn} from './trouble-lines.ts';

type Paper = {readonly theme: Theme; readonly size: Size};

export function smallLines(data: OverviewData, {theme, size}: Paper): readonly string[] {
	const {columns, rows} = size;
	const blank = rows > 10 ? [''] : [];
	const cost = hourly(data.fleet.burn.now);
	const whole = `$${Math.round(data.fleet.burn.now)}`;
	const texts = [`${cost}/h`, cost, `${whole}/h`, whole];
	const digits = bigLines(texts, {width: columns - 2, dot: 2});
	return [
		...blank,
		...digits.map(line => ` ${theme.style('money', line)}`),
		'',
		fit(` ${factsText(data)}`, columns),
		'',
		troubleLine(data, {theme, columns}),
		fit(`  ${endText(data)}`, columns),
	];
}

function factsText({fleet}: OverviewData): string {
	const {burn, credit, rows} = fleet;
	const {running, booting} = burn.groups;
	const hours = creditHours(credit, burn);
	const endless = rows.filter(
		({condition, instance}) => condition !== 'gone' && isEndlessInstance(instance),
	).length;
	const parts = [
		burn.atMost > burn.now && `max ${hourly(burn.atMost).slice(1)}`,
		`${running.count} run ${booting.count} boot`,
		hours !== undefined && `credit ${hoursText(hours)}`,
		endless > 0 && `${endless} no end`,
	];
	return parts.filter(Boolean).join('   ');
}

function troubleLine(
	data: OverviewData,
	{theme, columns}: {readonly theme: Theme; readonly columns: number},
): string {
	const troubles = troublesIn(data);
	if (troubles.length === 0) return theme.style('good', fit('  all well', columns));
	const first = `${theme.glyphs.edge} ${troubles.length} IN TROUBLE`;
	const names = troubles.map(
		({row, word}) => `   ${shortName(row)} ${word.replace('!', '').trim()}`,
	);
	let text = first;
	for (const name of names) if (widthOf(text + name) <= columns) text += name;
	return theme.style('alarm', fit(text, columns));
}

/** The next end, and those that passed. */
function endText({fleet}: OverviewData): string {
	const rows = endingRows(fleet.rows);
	const late = rows.filter(row => lateMs(row.instance, row.now) !== undefined);
	const next = rows.find(row => {
		const {action = 'none', leftMs = -1} = nextEnd(row.instance, row.now) ?? {};
		return action !== 'none' && leftMs >= 0;
	});
	const left = next && nextEnd(next.instance, next.now)?.leftMs;
	const parts = [
		next && left !== undefined && `next end: ${shortName(next)} in ${roughly(left)}`,
		...late.map(row => `LATE: ${shortName(row)} ${roughly(lateMs(row.instance, row.now) ?? 0)}`),
	];
	const said = parts.filter(Boolean).join('   ');
	return said === '' ? fleetTexts(fleet).endless || 'no end is set' : said;
}
