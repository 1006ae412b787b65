// Results that are kept, and answers out of a recording, in whole turns and for calls at once.
package agent

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const keptPolicies = `
version: 1
name: kept
policies:
  - {id: looks, tool_matcher: exec, arguments: {command: look}, action: respond, cache: {ttl: 3s}}
  - {id: no-keys, on: after_tool, content: 'key-[0-9]+', action: modify, rewrite: {redact: [{regex: 'key-[0-9]+', with: '[redacted]'}]}}
  - {id: replay, tool_matcher: exec, arguments: {command: rehearse}, action: respond, recorded: {file: recorded.yaml, otherwise: run}}
`

const recordedCalls = `
results:
  - {tool: exec, arguments: {action: run, command: echo rehearsed 1}, result: as it was recorded}
`

func TestPolicyKept(t *testing.T) {
	loop, model, _ := policyLoop(t, keptPolicies)
	home := loop.cfg.Hooks.Processes["policy"].Env["HOME"]
	if err := os.WriteFile(filepath.Join(home, "recorded.yaml"), []byte(recordedCalls), 0o600); err != nil {
		t.Fatal(err)
	}
	look := func(word string) string {
		return fmt.Sprintf(`exec!{"action":"run","command":"echo %s >> looked; echo key-%%s-%s"}`, word, word)
	}
	looked := func() string {
		text, _ := os.ReadFile("looked")
		return strings.Join(strings.Fields(string(text)), " ")
	}
	_, requests := model.play(loop, "look", look("look-a"), look("look-a"), look("look-b"), "done")
	scene("an equal call does not reach the tool, a different one does", "look-a look-b", looked())
	requests = append(requests, "", "", "")
	scene("the answer out of what is kept", "as the first one", "as the first one"+holds(requests[2], "key-%s-look-a"))
	time.Sleep(3100 * time.Millisecond)
	model.play(loop, "look again", look("look-a"), "done")
	scene("a result whose time is over is not used", "look-a look-b look-a", looked())

	_, requests = model.play(loop, "rehearse", `exec!{"action":"run","command":"echo rehearsed 1"}`, `exec!{"action":"run","command":"echo rehearsed 2"}`, "done")
	requests = append(requests, "", "", "")
	scene("a recorded call is answered, another runs", "both", "both"+
		holds(requests[1], "as it was recorded")+holds(requests[2], `rehearsed 2\n`))
}

func TestPolicyKeptAtOnce(t *testing.T) {
	manager, _ := policyHook(t, strings.Replace(keptPolicies, "3s", "5m", 1))
	call := sampleCall("kept", "look")
	done := make(chan string)
	for range 2 {
		go func() {
			_, decision := manager.BeforeTool(background, call)
			done <- string(decision.Action)
		}()
	}
	first, second := <-done, <-done
	for range 2 {
		result := sampleResult("exec", "looked")
		result.Arguments, result.Result.Async = call.Arguments, false
		manager.AfterTool(background, result)
	}
	answered, decision := manager.BeforeTool(background, call)
	scene("equal calls at once both run, and the next is answered", "continue, continue, respond: looked",
		fmt.Sprintf("%s, %s, %s: %s", first, second, decision.Action, answered.HookResult.ForLLM))
}
