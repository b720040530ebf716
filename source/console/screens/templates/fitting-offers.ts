/** Where a template could be rented at this moment: how many offers it fits, and the cheapest of them. */
import type {Client} from '../../../client/client.ts';
import {costOf} from '../../../contract/offer-cost.ts';
import type {Template} from '../../../contract/templates.ts';
import type {Settings} from '../../../renter/settings/default-settings.ts';
import {pricePerHour} from '../../../renter/format.ts';
import {jobOf} from '../../../renter/offers/job.ts';
import {searchForTemplate} from '../rent/asking.ts';
import {contentOf, diskOf} from '../rent/rent-values.ts';

/** More are not counted. */
const MOST = 100;

/** The answer as words: "41 at present, the cheapest $0.2871/h with 40 GB". */
export function fittingOffersQuery(
	client: () => Promise<Client>,
	template: Template | undefined,
	settings: Settings,
) {
	const diskGb = diskOf(template && contentOf(template), settings);
	return {
		queryKey: ['offers that fit', template?.hash_id, diskGb],
		enabled: template !== undefined,
		async queryFn({signal}: {readonly signal: AbortSignal}): Promise<string> {
			if (template === undefined) return '';
			const search = {...searchForTemplate(template, diskGb), limit: MOST};
			const {offers, unreadable} = await (await client()).offers.search(search, {signal});
			const [cheapest] = offers;
			if (unreadable.count > 0 && cheapest === undefined) return 'none that could be read';
			if (cheapest === undefined) return 'none at present';
			const {allIn} = costOf(cheapest, {...jobOf(settings), diskGb}, diskGb);
			const count = unreadable.of < MOST ? `${offers.length}` : `${MOST} or more`;
			return `${count} at present, the cheapest ${pricePerHour(allIn)} with ${diskGb} GB`;
		},
	};
}
