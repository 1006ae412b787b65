// Scenes for PicoClaw's own hook code with the built binary as its hook. An overlay puts this file into pkg/agent.
package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sipeed/picoclaw/pkg/bus"
	"github.com/sipeed/picoclaw/pkg/providers"
	"github.com/sipeed/picoclaw/pkg/providers/protocoltypes"
	"github.com/sipeed/picoclaw/pkg/routing"
	"github.com/sipeed/picoclaw/pkg/session"
	"github.com/sipeed/picoclaw/pkg/tools"
)

const housePolicies = `
version: 1
name: house
policies:
  - {id: no-forbidden, tool: shell, arguments: {command: forbidden}, action: deny, reason: forbidden things stay undone}
  - {id: no-fire, tool: shell, arguments: {command: fire}, action: abort_turn, reason: fire}
  - {id: no-flood, tool: shell, arguments: {command: flood}, action: hard_abort, reason: flood}
  - {id: newer, tool: shell, arguments: {command: older}, action: modify, rewrite: {replace: [{at: command, regex: older, with: newer}]}}
  - {id: answered, tool_matcher: weather, action: respond, result: {for_llm: It rains, for_user: Take an umbrella}}
  - {id: handled, tool_matcher: forecast, action: respond, result: {for_llm: It snows, for_user: Take a coat, response_handled: true}}
  - {id: no-keys, on: [before_llm, after_llm, after_tool], content: 'key-[0-9]+', action: modify, rewrite: {redact: [{regex: 'key-[0-9]+', with: '[redacted]'}]}}
  - {id: no-bomb, on: before_llm, content: bomb, action: deny, reason: bombs are not talked about}
  - {id: told, on: after_tool, content: told, action: continue, message: The user is told}
  - {id: offers, on: before_llm, model_prefix: offers, action: modify, rewrite: {add_tools: [{name: weather}]}}
  - {id: others, on: before_llm, model_prefix: others, action: modify, rewrite: {messages: [{role: user, content: something else}]}}
`

var background = context.Background()

// scene prints what the table shows.
func scene(name, expected, seen string) {
	line, _ := json.Marshal(map[string]string{"name": name, "expected": expected, "seen": seen})
	fmt.Printf("\nscene %s\n", line)
}

// same is a scene in which two values are the same when written as JSON; words say what that means.
func same(name, words string, wanted, got any) {
	if a, b := asJSON(wanted), asJSON(got); a == b {
		scene(name, words, words)
	} else {
		scene(name, words+": "+a, b)
	}
}

func asJSON(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// policyCommand starts the binary with policies, each in a file of its own: house-0.yaml, house-1.yaml.
func policyCommand(t *testing.T, policies ...string) ([]string, map[string]string) {
	t.Helper()
	home := t.TempDir()
	command := []string{os.Getenv("POLICY_BINARY"), "hook", "--host", "picoclaw", "--no-log"}
	for i, text := range policies {
		file := filepath.Join(home, fmt.Sprintf("house-%d.yaml", i))
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		command = append(command, "--policies", file)
	}
	env := map[string]string{"HOME": home, "POLICY_PATH": ""}
	for _, name := range []string{"XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"} {
		env[name] = home
	}
	return command, env
}

func policyHook(t *testing.T, policies ...string) (*HookManager, *ProcessHook) {
	t.Helper()
	command, env := policyCommand(t, policies...)
	hook, err := NewProcessHook(background, "policy", ProcessHookOptions{
		Command:       command,
		Env:           processHookEnvFromMap(env),
		InterceptLLM:  true,
		InterceptTool: true,
		ApproveTool:   true,
	})
	if err != nil {
		t.Fatal(err)
	}
	manager := NewHookManager(nil)
	t.Cleanup(manager.Close)
	if err := manager.Mount(HookRegistration{Name: "policy", Source: HookSourceProcess, Hook: hook}); err != nil {
		t.Fatal(err)
	}
	return manager, hook
}

func sampleMeta(turn string) HookMeta {
	return HookMeta{AgentID: "main", TurnID: turn, SessionKey: "s", Iteration: 2, TracePath: "turn", Source: "runTurn"}
}

func sampleContext() *TurnContext {
	return newTurnContext(&bus.InboundContext{
		Channel: "telegram", ChatID: "42", ChatType: "group", SenderID: "7", Mentioned: true,
		ReplyHandles: map[string]string{"a": "b"}, Raw: map[string]string{"c": "d"},
	}, &routing.ResolvedRoute{
		AgentID: "main", Channel: "telegram", AccountID: "a", MatchedBy: "m",
		SessionPolicy: routing.SessionPolicy{Dimensions: []string{"chat"}, IdentityLinks: map[string][]string{"a": {"b"}}},
	}, &session.SessionScope{
		Version: 1, AgentID: "main", Channel: "telegram", Account: "a",
		Dimensions: []string{"chat"}, Values: map[string]string{"chat": "42"},
	})
}

func sampleCall(turn, command string) *ToolCallHookRequest {
	return &ToolCallHookRequest{
		Meta: sampleMeta(turn), Context: sampleContext(), Tool: "exec",
		Arguments: map[string]any{
			"action": "run", "command": command, "timeout": 1.5, "big": 9007199254740991.0, "none": nil,
			"list": []any{1.0, "é\u2028<&>", map[string]any{}}, "empty": "",
		},
	}
}

func approvalOf(call *ToolCallHookRequest) *ToolApprovalRequest {
	return &ToolApprovalRequest{Meta: call.Meta, Context: call.Context, Tool: call.Tool, Arguments: call.Arguments}
}

func sampleMessages(text string) []providers.Message {
	when := time.Date(2026, 1, 2, 3, 4, 5, 600_000_000, time.FixedZone("", 3600))
	return []providers.Message{
		{Role: "system", Content: "You help.", SystemParts: []providers.ContentBlock{
			{Type: "text", Text: "You help.", CacheControl: &providers.CacheControl{Type: "ephemeral"}},
		}},
		{
			Role: "assistant", Content: text, ModelName: "m", CreatedAt: &when, Media: []string{"media://1"},
			Attachments:      []providers.Attachment{{Type: "image", Ref: "r", URL: "u", Filename: "f", ContentType: "c"}},
			ReasoningContent: "hm", ToolCallID: "c0", ToolCalls: sampleToolCalls(),
			SystemParts: []providers.ContentBlock{
				{Type: "text", Text: "part", CacheControl: &providers.CacheControl{Type: "ephemeral"}},
			},
		},
		{Role: "tool", Content: text, ToolCallID: "c1"},
	}
}

func sampleToolCalls() []providers.ToolCall {
	return []providers.ToolCall{{
		ID: "c1", Type: "function",
		Function: &providers.FunctionCall{Name: "exec", Arguments: `{"command":"ls"}`, ThoughtSignature: "t"},
		ExtraContent: &providers.ExtraContent{
			Google: &providers.GoogleExtra{ThoughtSignature: "g"}, ToolFeedbackExplanation: "why",
		},
	}}
}

func sampleRequest(model, text string) *LLMHookRequest {
	return &LLMHookRequest{
		Meta: sampleMeta("llm"), Context: sampleContext(), Model: model, Messages: sampleMessages(text),
		Tools: []providers.ToolDefinition{{Type: "function", Function: providers.ToolFunctionDefinition{
			Name: "exec", Description: "Runs", Parameters: map[string]any{"required": []string{"command"}},
		}}},
		Options: map[string]any{"max_tokens": 1000, "temperature": 0.5}, GracefulTerminal: true,
	}
}

func sampleResponse(model, text string) *LLMHookResponse {
	return &LLMHookResponse{
		Meta: sampleMeta("llm"), Context: sampleContext(), Model: model,
		Response: &providers.LLMResponse{
			Content: text, ReasoningContent: "hm", ToolCalls: sampleToolCalls(), FinishReason: "stop",
			Usage:     &providers.UsageInfo{PromptTokens: 1, CompletionTokens: 2, TotalTokens: 3},
			Reasoning: "so", ReasoningDetails: []protocoltypes.ReasoningDetail{{Format: "f", Index: 1, Type: "t", Text: "x"}},
		},
	}
}

func sampleResult(tool, text string) *ToolResultHookResponse {
	return &ToolResultHookResponse{
		Meta: sampleMeta("tool"), Context: sampleContext(), Tool: tool, Arguments: sampleCall("", "ls").Arguments,
		Result: &tools.ToolResult{
			ForLLM: text, ForUser: text, Silent: true, Async: true, Media: []string{"media://1"},
			ArtifactTags: []string{"[file:a]"}, ResponseHandled: true,
		},
		Duration: 5 * time.Second,
	}
}

func verdict(decision HookDecision) string {
	return strings.TrimSuffix(fmt.Sprintf("%s: %s", decision.Action, decision.Reason), ": ")
}

func approval(decision ApprovalDecision) string {
	if decision.Approved {
		return "approved"
	}
	return "refused: " + decision.Reason
}

func TestPolicyCalls(t *testing.T) {
	manager, _ := policyHook(t, housePolicies)
	const reason = "Refused by house/no-forbidden: forbidden things stay undone."
	_, decision := manager.BeforeTool(background, sampleCall("deny", "echo forbidden"))
	scene("deny a call", "deny_tool: "+reason, verdict(decision))
	scene("refuse an approval", "refused: "+reason,
		approval(manager.ApproveTool(background, approvalOf(sampleCall("deny", "echo forbidden")))))
	_, decision = manager.BeforeTool(background, sampleCall("abort", "echo fire"))
	scene("abort a turn", "abort_turn: Refused by house/no-fire: fire.", verdict(decision))
	_, decision = manager.BeforeTool(background, sampleCall("abort", "echo flood"))
	scene("abort hard", "hard_abort: Refused by house/no-flood: flood.", verdict(decision))

	harmless := sampleCall("pass", "echo hello")
	call, decision := manager.BeforeTool(background, harmless)
	same("let a call pass", "continue, unchanged", []any{"continue", harmless}, []any{decision.Action, call})
	scene("approve it", "approved", approval(manager.ApproveTool(background, approvalOf(call))))
	call, _ = manager.BeforeTool(background, sampleCall("modify", "echo older"))
	same("rewrite a call", "nothing else is lost", sampleCall("modify", "echo newer"), call)
	scene("approve what was rewritten", "approved", approval(manager.ApproveTool(background, approvalOf(call))))

	asked := sampleCall("respond", "")
	asked.Tool = "weather"
	call, decision = manager.BeforeTool(background, asked)
	same("respond in place of a tool", "the answer is there", []any{
		"respond", tools.ToolResult{ForLLM: "It rains", ForUser: "Take an umbrella"},
	}, []any{decision.Action, call.HookResult})
}

func TestPolicyTexts(t *testing.T) {
	manager, _ := policyHook(t, housePolicies)
	result, _ := manager.AfterTool(background, sampleResult("exec", "a key-1"))
	same("redact a result", "nothing else is lost", sampleResult("exec", "a [redacted]"), result)
	request, _ := manager.BeforeLLM(background, sampleRequest("m", "a key-1"))
	same("redact a request", "nothing else is lost", sampleRequest("m", "a [redacted]"), request)
	response, _ := manager.AfterLLM(background, sampleResponse("m", "a key-1"))
	same("redact an answer", "nothing else is lost", sampleResponse("m", "a [redacted]"), response)
	_, decision := manager.BeforeLLM(background, sampleRequest("m", "a bomb"))
	scene("refuse a request", "abort_turn: Refused by house/no-bomb: bombs are not talked about.", verdict(decision))
	request, decision = manager.BeforeLLM(background, sampleRequest("others", "hello"))
	scene("put other messages in place of all", "abort_turn", string(decision.Action))
	request, _ = manager.BeforeLLM(background, sampleRequest("offers", "hello"))
	scene("offer a tool", "the request stays as it is, max_tokens an int",
		fmt.Sprintf("the request stays as it is, max_tokens an %T", request.Options["max_tokens"]))
}

func TestPolicyBroken(t *testing.T) {
	manager, _ := policyHook(t, "version: 1\npolicies:\n  - {id: a, tool: shell, acton: deny}\n")
	call := sampleCall("broken", "echo hello")
	_, decision := manager.BeforeTool(background, call)
	_, asked := manager.BeforeLLM(background, sampleRequest("m", "hello"))
	_, heard := manager.AfterLLM(background, sampleResponse("m", "hello"))
	result, _ := manager.AfterTool(background, sampleResult("exec", "hello"))
	names := strings.Contains(decision.Reason, "house-0.yaml:3:")
	scene("broken policies",
		"deny_tool, naming the place; not approved; abort_turn, abort_turn; result withheld: true",
		fmt.Sprintf("%s%s; %s; %s, %s; result withheld: %t", decision.Action,
			map[bool]string{true: ", naming the place", false: ": " + decision.Reason}[names],
			map[bool]string{true: "approved", false: "not approved"}[manager.ApproveTool(background, approvalOf(call)).Approved],
			asked.Action, heard.Action, result.Result.IsError && !strings.Contains(asJSON(result.Result), "hello")))
}

func TestPolicyKilled(t *testing.T) {
	manager, hook := policyHook(t, housePolicies)
	if err := hook.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-hook.done
	call := sampleCall("killed", "echo forbidden")
	_, decision := manager.BeforeTool(background, call)
	scene("killed hook, approve_tool", `refused: tool approval hook "policy" failed`,
		approval(manager.ApproveTool(background, approvalOf(call))))
	result, _ := manager.AfterTool(background, sampleResult("exec", "a key-1"))
	request, _ := manager.BeforeLLM(background, sampleRequest("m", "a key-1"))
	response, _ := manager.AfterLLM(background, sampleResponse("m", "a key-1"))
	unredacted := strings.Contains(asJSON(result.Result), "key-1") &&
		strings.Contains(asJSON(request.Messages), "key-1") && strings.Contains(asJSON(response.Response), "key-1")
	scene("killed hook, everything else", "before_tool continue; results, requests and answers pass unredacted: true",
		fmt.Sprintf("before_tool %s; results, requests and answers pass unredacted: %t", decision.Action, unredacted))
}

func TestPolicyCrowd(t *testing.T) {
	manager, _ := policyHook(t, housePolicies)
	var wrong sync.Map
	var group sync.WaitGroup
	for i := range 1000 {
		group.Add(1)
		go func() {
			defer group.Done()
			word := []string{"hello", "forbidden"}[i%2]
			call, decision := manager.BeforeTool(background, sampleCall(fmt.Sprint(i), fmt.Sprintf("echo %s %d", word, i)))
			seen := string(decision.Action) + ", " + approval(manager.ApproveTool(background, approvalOf(call)))
			wanted := []string{"continue, approved", "deny_tool, refused: Refused by house/no-forbidden: forbidden things stay undone."}[i%2]
			if seen != wanted {
				wrong.Store(i, seen)
			}
		}()
	}
	group.Wait()
	count, first := 0, ""
	wrong.Range(func(_, seen any) bool { count, first = count+1, seen.(string); return true })
	scene("a thousand calls at once", "0 wrong", strings.TrimSpace(fmt.Sprintf("%d wrong %s", count, first)))
}

// A first load that takes longer than one call may: refused at first, with the cause, and right by itself later.
func TestPolicySlowLoad(t *testing.T) {
	files := []string{housePolicies}
	for i := range 4 {
		var text strings.Builder
		fmt.Fprintf(&text, "version: 1\nname: slow%d\npolicies:\n", i)
		for j := range 10_000 {
			fmt.Fprintf(&text, "  - {id: slow-%d, tool: shell, arguments: {command: '^never-%d [a-z]+ (x|y){1,9}$'}, action: deny, reason: slow}\n", j, j)
		}
		files = append(files, text.String())
	}
	manager, _ := policyHook(t, files...)
	refusals := map[string]int{}
	seen := "still refused after two minutes"
	for i, start := 0, time.Now(); time.Since(start) < 2*time.Minute; i++ {
		call := sampleCall(fmt.Sprint("slow", i), "echo hello")
		_, decision := manager.BeforeTool(background, call)
		if decision.Action == HookActionContinue && manager.ApproveTool(background, approvalOf(call)).Approved {
			_, decision = manager.BeforeTool(background, sampleCall("slow", "echo forbidden"))
			seen = "judged in the end: " + string(decision.Action)
			break
		}
		refusals[decision.Reason]++
		time.Sleep(200 * time.Millisecond)
	}
	scene("slow first load", "judged in the end: deny_tool", seen)
	cause := "none needed"
	for reason := range refusals {
		cause = reason
		if strings.Contains(reason, "took too long") {
			cause = "took too long"
			break
		}
	}
	scene("slow first load, the cause of refusals meanwhile", "took too long", cause)
}
