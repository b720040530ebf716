/** The outcome of a rent, for people and as JSON. */
import type {Doubles} from '../../client/rentals/pending-rent.ts';
import type {Offer} from '../../contract/nouns/offers.ts';
import {isFree} from '../../renter/offers/search.ts';
import {money, pricePerHour} from '../../renter/text/format.ts';
import {shownLabel} from '../../renter/words/lease.ts';
import type {Context} from '../base/command.ts';
import {differenceRecord, type Followed} from './follow-rental.ts';
import {sshRecord} from '../instances/facts.ts';
import {hourlyPriceOf, stoppedPriceOf} from './checks.ts';
import type {RentOrder} from './order.ts';

type RentReport = Followed & {
	readonly id: number;
	readonly offer: Offer;
	readonly keyFile: string | undefined;
	readonly doubles: Doubles | undefined;
	readonly order: RentOrder;
	/** Private keys that ssh does not try by itself. */
	readonly identities: readonly string[];
};

export function reportRents({isJson, output}: Context, report: RentReport): void {
	if (isJson) return output.json(recordOf(report));
	const {id, offer, order, instance, unlike, isGone, identities, keyFile} = report;
	// A script has no use for the number of an instance that is gone.
	if (isGone) return undefined;
	const ssh = instance && sshRecord(instance, identities);
	output.line(String(id));
	if (ssh) output.line(ssh.command);
	if (keyFile !== undefined) output.say(`rentty: Its own key is kept in ${keyFile}.`);
	return output.say(
		`rentty: ${id} costs ${priceText(offer, order, unlike?.perHour)}. rentty destroy ${id} ends it.`,
	);
}

/** Price of what was rented, which is that of its disk until its first start. */
function priceText(offer: Offer, order: RentOrder, otherPrice: number | undefined): string {
	const running = otherPrice ?? hourlyPriceOf(offer, order);
	if (running === 0 && isFree(offer, order.own)) return 'nothing: the machine is your own';
	if (order.order.target === 'stopped') {
		const stopped = pricePerHour(stoppedPriceOf(offer, order));
		return `${stopped} while it is stopped, and ${pricePerHour(running)} once it is started`;
	}
	const day = running === undefined ? '' : `, ${money(running * 24)} a day`;
	return `${pricePerHour(running)}${day}`;
}

function recordOf(report: RentReport) {
	const {id, offer, order, instance, unlike, isGone, identities, keyFile, doubles} = report;
	const key_file = keyFile ?? null;
	const differences = (unlike?.differences ?? []).map(differenceRecord);
	const price_per_hour = hourlyPriceOf(offer, order) ?? null;
	const label = shownLabel(order.order.label) || null;
	const same = {id, offer: offer.id, label, price_per_hour};
	const kept = {differences, key_file, doubles: doubleRecords(doubles)};
	if (isGone) return {...same, state: 'gone', ssh: null, ...kept};
	const ssh = instance === undefined ? null : sshRecord(instance, identities);
	return {...same, state: instance?.actual_status ?? null, ssh, ...kept};
}

function doubleRecords({certain, perhaps}: Doubles = {certain: [], perhaps: []}) {
	return [...certain, ...perhaps].map(double => ({
		id: double.id,
		price_per_hour: double.dph_total ?? null,
		is_certain: certain.includes(double),
	}));
}
