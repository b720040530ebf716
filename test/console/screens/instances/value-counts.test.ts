import {expect, test} from 'vitest';
import {openFleetConsole} from '../../../helpers/console/fleet-console.ts';
import {openFleetMarket} from '../../../helpers/fleet/fleet.ts';

test('F counts the values of a column at 80x24, with what they cost', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openFleetConsole(market);
	await rentty.sees('1 of 4');
	rentty.type('F');
	expect(await rentty.sees(/VALUES of state.*1 of 4/s)).toMatchInlineSnapshot(`
		" practice . no money  . $0.24/h max 0.62  4 no end $0.24/h       * 1  x 1  12:41
		0 Overview 1 Offers [2 Instances 1!] 3 Templates 4 Keys 5 Activity 6 Profiles
		 VALUES of state                             4 instances, < and > another column
		--------------------------------------------------------------------------------
		  VALUE                    N SHARE                     $/H  AT MOST STATE
		> stuck                    1 ####################   $0.002    $0.16 x 1 stuck
		  provisioning             1 ####################   $0.003    $0.23 none runs
		  running                  1 ####################    $0.23    $0.23 * 1 of 1 run
		  stopped                  1 ####################   $0.003   $0.003 none runs












		------------------------------------------------------------------------ 1 of 4

		Enter list them  > next column  Esc list"
	`);
	rentty.type('>');
	const gpus = await rentty.sees(/VALUES of gpu.*RTX 4080S +2 /s);
	expect(gpus.indexOf('RTX 4080S')).toBeLessThan(gpus.indexOf('RTX 3080 Ti'));
	rentty.type('\u001B');
	await rentty.sees('trouble first');
});

test('Enter on a value lists the instances that have it, and Esc all again', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openFleetConsole(market, {columns: 140, rows: 40});
	await rentty.sees('1 of 4');
	rentty.type('F');
	await rentty.sees('VALUES of state');
	rentty.type('>');
	await rentty.sees(/VALUES of gpu.*RTX 4080S +2 /s);
	rentty.type('\r');
	const shown = await rentty.sees('2 of 4 instances');
	expect(shown).toContain('vllm-2');
	expect(shown).toContain('old-run');
	expect(shown).not.toMatch(/\d+ train-c/);
	rentty.type('\u001B');
	await rentty.sees('1 of 4');
});
