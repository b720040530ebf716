/** What every screen says of the fleet: what it costs, and what is wrong with it. */
import type {FleetWords} from '../chrome.ts';
import {creditHours} from './burn.ts';
import type {FleetState} from './fleet-state.ts';
import type {Troubles} from './order.ts';

/** Without an instance there is nothing to say. */
export function fleetWords({rows, burn, troubles, credit}: FleetState): FleetWords {
	if (rows.length === 0) return {burn: '', trouble: '', more: ''};
	const now = burn.now.toFixed(2);
	const most = burn.atMost.toFixed(2);
	const unknown = burn.unpriced === 0 ? '' : ' + ?';
	const {running, booting} = burn.groups;
	const hours = creditHours(credit, burn);
	const lasts = hours === undefined ? '' : ` = ${hoursText(hours)}`;
	const money = credit === undefined ? [] : [`credit $${credit.toFixed(2)}${lasts}`];
	return {
		burn: `$${now}/h${now === most ? '' : ` (max ${most})`}${unknown}`,
		trouble: troubleWords(troubles),
		more: [...money, ` ${running.count} run ${booting.count} boot`].join(' '),
	};
}

/** "1 STUCK 2 DEAD"; empty where nothing is wrong. */
export function troubleWords({undead, stuck, dead}: Troubles): string {
	const words = [
		[undead, 'UNDEAD'],
		[stuck, 'STUCK'],
		[dead, 'DEAD'],
	] as const;
	return words
		.filter(([count]) => count > 0)
		.map(([count, word]) => `${count} ${word}`)
		.join(' ');
}

export function troubleCount({undead, stuck, dead}: Troubles): number {
	return undead + stuck + dead;
}

/** "12-26h", and "12h" where both ends are the same. */
export function hoursText({least, most}: {readonly least: number; readonly most: number}): string {
	const [from, to] = [Math.floor(least), Math.floor(most)];
	if (!Number.isFinite(most)) return `${from}h or more`;
	return from === to ? `${from}h` : `${from}-${to}h`;
}
