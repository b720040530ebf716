import {useQuery} from '@tanstack/react-query';
import {Box, Text} from 'ink';
import {useState} from 'react';
import type {Client} from '../../../client/client.ts';
import {costOf} from '../../../contract/nouns/offer-cost.ts';
import type {Settings} from '../../../renter/settings/default-settings.ts';
import {pricePerHour, sentence} from '../../../renter/text/format.ts';
import {jobOf} from '../../../renter/offers/job.ts';
import {searchOffers} from '../../../renter/offers/local-filter.ts';
import {searchForTemplate} from '../../../renter/orders/order-requests.ts';
import {readFullContent, proposedDiskGb} from '../../../renter/orders/rent-values.ts';
import type {Template} from '../../../contract/nouns/templates.ts';
import {spread} from '../../ui/chrome.ts';
import {ruleLine} from '../../ui/rules.ts';
import {Notice} from '../../ui/notice.tsx';
import {useStore} from '../../ui/painted.tsx';
import {KeyScope} from '../../ui/key-scope.tsx';
import {useServices, useSettings} from '../../services/services.tsx';
import type {ScreenProps} from '../../services/router.ts';
import {
	templateBindings,
	type OneTemplateTarget,
	templateListBindings,
	type TemplateListTarget,
	pickerBindings,
} from './bindings.ts';
import {AskTemplate, templateTarget, type TemplateAsking, noHashOf} from './template-actions.tsx';
import {templateLines, templateTitle} from './facts.ts';
import {templateQuery} from '../../queries/templates.ts';
import {meQuery} from '../../queries/account.ts';
import {usesOf, idOf} from '../../../renter/templates/templates.ts';
import {templateListAt, savedTemplateAt, createTemplateList} from './list-state.ts';
import {TemplateList} from './template-list.tsx';

/** Title and two rules. */
const LINES_AROUND = 3;

type Props = Omit<ScreenProps, 'stackEntry'> & {readonly id: number};

export function TemplateScreen({router, size, say, id}: Props) {
	const services = useServices();
	const {client, theme, fleet} = services;
	const settings = useSettings();
	const rented = useStore(fleet.state);
	const {data: me} = useQuery(meQuery(client));
	const {data, error, refetch} = useQuery(templateQuery(client, id));
	const [top, setTop] = useState(0);
	const [asking, ask] = useState<TemplateAsking>();
	const template = data ?? undefined;
	const {data: offers = '-'} = useQuery(fittingOffersQuery(client, template, settings));
	if (asking !== undefined) {
		const close = (isGone: boolean) => {
			ask(undefined);
			if (isGone) router.back();
		};
		return <AskTemplate {...{asking, size, say}} onDone={close} />;
	}
	const height = size.rows - LINES_AROUND;
	const lines =
		template === undefined
			? []
			: templateLines(
					template,
					{uses: usesOf(template, rented, settings), offers},
					{theme, width: size.columns},
				);
	const last = Math.max(0, lines.length - height);
	const shown = Math.min(top, last);
	const target: OneTemplateTarget = {
		...templateTarget({current: () => template, me, router, services, say, ask}),
		scroll: by => setTop(Math.max(0, Math.min(shown + by, last))),
		refresh: () => void refetch(),
	};
	const position = last === 0 ? '' : `line ${shown + 1} of ${lines.length}`;
	return (
		<KeyScope title="Template" bindings={templateBindings} target={target}>
			<Box flexDirection="column">
				<Text wrap="truncate">{spread(size.columns, headingOf(id, template), position)}</Text>
				<Text wrap="truncate">{ruleLine(theme, size.columns)}</Text>
				{template === undefined ? (
					<TemplateNotice
						id={id}
						error={error}
						isGone={data === null}
						width={size.columns}
						height={height}
					/>
				) : (
					<Box height={height} flexShrink={0} overflow="hidden">
						<Text wrap="truncate">{lines.slice(shown, shown + height).join('\n')}</Text>
					</Box>
				)}
				<Text wrap="truncate">{ruleLine(theme, size.columns)}</Text>
			</Box>
		</KeyScope>
	);
}

function headingOf(id: number, template: Template | undefined): string {
	return `Templates > ${template === undefined ? id : templateTitle(template)}`;
}

type NoticeProps = {
	readonly id: number;
	readonly error: Error | null;
	readonly isGone: boolean;
	readonly width: number;
	readonly height: number;
};

function TemplateNotice({id, error, isGone, ...room}: NoticeProps) {
	if (isGone) {
		const lines = [
			'It was deleted. Instances that were made of it keep running.',
			'Esc goes back.',
		];
		return <Notice title={`Template ${id} is gone.`} lines={lines} {...room} />;
	}
	if (error === null) return <Notice title={`Asking for template ${id}`} {...room} />;
	return <Notice title={sentence(error.message)} lines={['R tries again.']} {...room} />;
}

/** Most offers counted. */
const MOST = 100;

/** The answer as words: "41 at present, the cheapest $0.2871/h with 40 GB". */
function fittingOffersQuery(
	client: () => Promise<Client>,
	template: Template | undefined,
	settings: Settings,
) {
	const diskGb = proposedDiskGb(template && readFullContent(template), settings);
	return {
		queryKey: ['offers that fit', template?.hash_id, diskGb],
		enabled: template !== undefined,
		async queryFn({signal}: {readonly signal: AbortSignal}): Promise<string> {
			if (template === undefined) return '';
			const search = {...searchForTemplate(template, diskGb), limit: MOST};
			const job = {...jobOf(settings), diskGb};
			const found = await searchOffers(await client(), search, {job, signal});
			const {offers, unreadable} = found;
			const [cheapest] = offers;
			if (unreadable.count > 0 && cheapest === undefined) return 'none that could be read';
			if (cheapest === undefined) return 'none at present';
			const {allIn} = costOf(cheapest, job, diskGb);
			const count = unreadable.of < MOST ? `${offers.length}` : `${MOST} or more`;
			return `${count} at present, the cheapest ${pricePerHour(allIn)} with ${diskGb} GB`;
		},
	};
}

/** The user's own templates, and those of everybody. */
export function TemplatesScreen({stackEntry, router, size, say}: ScreenProps) {
	const services = useServices();
	const list = templateListAt(stackEntry);
	const {data: me} = useQuery(meQuery(services.client));
	const [asking, ask] = useState<TemplateAsking>();
	if (asking !== undefined) {
		return <AskTemplate {...{asking, size, say}} onDone={() => ask(undefined)} />;
	}
	const current = () => list.current();
	const target: TemplateListTarget = {
		...templateTarget({current, me, router, services, say, ask}),
		open() {
			const template = current();
			if (template !== undefined) router.go({name: 'template', id: idOf(template)});
		},
	};
	return (
		<KeyScope title="Templates" bindings={templateListBindings} target={target}>
			<TemplateList list={list} size={size} say={say} saved={savedTemplateAt(stackEntry)} />
		</KeyScope>
	);
}

type PickerProps = Pick<ScreenProps, 'size' | 'say'> & {
	readonly onPick: (template: Template) => void;
	readonly onClose: () => void;
};

/** The list of templates in place of a screen that needs one of them. */
export function TemplatePicker({size, say, onPick, onClose}: PickerProps) {
	const [list] = useState(createTemplateList);
	const current = () => list.current();
	return (
		<KeyScope
			isModal
			title="Pick a template"
			bindings={pickerBindings}
			target={{
				pick() {
					const template = current();
					if (template !== undefined) onPick(template);
				},
				close: onClose,
				missing: () => noHashOf(current(), 'there is no template to take'),
			}}
		>
			<TemplateList list={list} size={size} say={say} />
		</KeyScope>
	);
}
