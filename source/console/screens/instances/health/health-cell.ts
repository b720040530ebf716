/** Cell of the column HLT: the result of an instance's last examination. */
import type {FleetRow} from '../../../../renter/fleet/fleet-state.ts';
import {grades, type Grade} from '../../../../renter/instance/examined.ts';
import {MISSING} from '../../../../renter/text/format.ts';
import type {Meaning} from '../../../ui/theme.ts';

type Row = Pick<FleetRow, 'examined'>;

export const healthCell = {
	cell: ({examined}: Row) => examined?.grade ?? MISSING,
	sortKey: ({examined}: Row) => examined && grades.indexOf(examined.grade),
	best: 'high',
} as const;

export function healthMeaning({examined}: Row): Meaning {
	return examined === undefined ? 'quiet' : meanings[examined.grade];
}

const meanings: Readonly<Record<Grade, Meaning>> = {
	ok: 'good',
	wrn: 'warning',
	bad: 'danger',
	'?': 'quiet',
};
