import {QueryClientProvider} from '@tanstack/react-query';
import {render} from 'ink-testing-library';
import {expect, test} from 'vitest';
import {openClient} from '../../../../source/client/client.ts';
import {KeymapRoot} from '../../../../source/console/key-scope.tsx';
import {createKeymap} from '../../../../source/console/keymap.ts';
import {createLive} from '../../../../source/console/live.ts';
import {TemplatePicker} from '../../../../source/console/screens/templates/picker.tsx';
import {ServicesProvider} from '../../../../source/console/services.tsx';
import type {Services} from '../../../../source/console/services.tsx';
import {createTheme} from '../../../../source/console/theme.ts';
import {openTestMarket} from '../../../helpers/market.ts';

/** The picker by itself, on the templates that a market recommends. */
async function openPicker() {
	const market = await openTestMarket({offers: 1});
	const client = openClient(market);
	const live = createLive();
	const keymap = createKeymap();
	const outcomes: string[] = [];
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a list of templates uses no other services
	const services = {
		client: async () => client,
		live,
		theme: createTheme({NO_COLOR: '1', LANG: 'C'}),
		painter: undefined,
		now: () => new Date(2026, 10, 21),
	} as unknown as Services;
	const view = render(
		<ServicesProvider value={services}>
			<QueryClientProvider client={live}>
				<KeymapRoot keymap={keymap}>
					<TemplatePicker
						size={{columns: 80, rows: 20}}
						say={() => {}}
						onPick={({name}) => outcomes.push(`picked ${name}`)}
						onClose={() => outcomes.push('closed')}
					/>
				</KeymapRoot>
			</QueryClientProvider>
		</ServicesProvider>,
	);
	await expect.poll(() => view.lastFrame()).toContain('PyTorch');
	return {
		outcomes,
		press: (...keys: readonly string[]) => keys.map(key => keymap.press(key).kind),
		async [Symbol.asyncDispose]() {
			view.unmount();
			live.clear();
			await client.close();
			await market[Symbol.asyncDispose]();
		},
	};
}

test('the template under the cursor is picked, and nothing else can be done with it', async () => {
	await using picker = await openPicker();
	expect(picker.press('x', 'e', '1')).toEqual(['unbound', 'unbound', 'unbound']);
	picker.press('j', 'Enter');
	expect(picker.outcomes).toEqual(['picked vLLM server']);
});

test('Esc goes back without a template', async () => {
	await using picker = await openPicker();
	picker.press('Esc');
	expect(picker.outcomes).toEqual(['closed']);
});
